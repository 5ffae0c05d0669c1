import { messageCategories, messageCodes } from '../code-lists.ts';
import { array, type Body, type Field, object, string } from '../field.ts';

/** Payment creation response, Message object. */
export const messageFields: readonly Field[] = [
  string('category', { required: 'MSG-01', type: 'MSG-02', values: 'MSG-03' }, { values: messageCategories }),
  string('code', { required: 'MSG-04', type: 'MSG-05', values: 'MSG-06' }, { values: messageCodes }),
  string('path', { type: 'MSG-07' }),
  string('text', { type: 'MSG-08', maxLength: 'MSG-09' }, { maxLength: 512 }),
];

export const messagesField = (typeId: string): Field =>
  array('tppMessages', { type: typeId }, object('*', { type: 'MSG-10' }, messageFields));

/**
 * The error body. The specification shows none; the framework's is used by the reference bank,
 * and what a bank sends is only held to the message object.
 */
export const errorResponse: Body = {
  name: 'error response',
  section: ['Errors'],
  origin: 'framework',
  direction: 'response',
  level: 'must',
  fields: [messagesField('ERR-01')],
};
