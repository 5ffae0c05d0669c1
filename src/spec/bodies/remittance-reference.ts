import { type Field, string } from '../field.ts';

/** Resources and their fields, Remittance reference (structured). The same rows serve the single and the array form. */
export const remittanceReferenceFields: readonly Field[] = [
  string(
    'reference',
    { required: 'REM-01', type: 'REM-02', nonEmpty: 'REM-03', maxLength: 'REM-04' },
    { maxLength: 35 },
  ),
  string('referenceType', { type: 'REM-05', nonEmpty: 'REM-06', maxLength: 'REM-07' }, { maxLength: 35 }),
  string('referenceIssuer', { type: 'REM-08', nonEmpty: 'REM-09', maxLength: 'REM-10' }, { maxLength: 35 }),
];
