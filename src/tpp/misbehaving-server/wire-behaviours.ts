import {
  type Behaviour,
  everything,
  late,
  type Outcome,
  type Reply,
  type Surroundings,
  some,
  type When,
} from './behaviour.ts';

/** Behaviours of the connection, before TLS has begun. */
const connection = (
  id: string,
  when: When,
  outcome: Outcome,
  connect: NonNullable<Behaviour['connect']>,
): Behaviour => ({ id: `tcp/${id}`, when, outcome, connect });

const says =
  (bytes: string | Buffer): NonNullable<Behaviour['connect']> =>
  (socket) => {
    socket.write(bytes);
  };

const connections: readonly Behaviour[] = [
  { id: 'tcp/refuses', when: everything, outcome: 'blocked', isDown: true },
  { id: 'tcp/few-at-once', when: everything, outcome: 'survived', mostConnections: 3 },
  connection('resets', everything, 'blocked', (socket) => socket.resetAndDestroy?.()),
  connection('resets-some', { oneIn: 5 }, 'survived', (socket) => socket.resetAndDestroy?.()),
  connection('closes', everything, 'blocked', (socket) => socket.end()),
  connection('closes-some', { oneIn: 5 }, 'survived', (socket) => socket.end()),
  connection('says-nothing', everything, 'blocked', () => {}),
  connection('says-nothing-to-some', { oneIn: 5 }, 'survived', () => {}),
  connection('speaks-plain-http', everything, 'blocked', says('HTTP/1.1 400 Bad Request\r\n\r\n')),
  connection('speaks-ssh', everything, 'blocked', says('SSH-2.0-OpenSSH_9.6\r\n')),
  connection('garbage', everything, 'blocked', says(Buffer.alloc(4096, 0xa5))),
  connection('much-garbage', everything, 'blocked', says(Buffer.alloc(20_000_000, 0x5a))),
  connection('tls-alert', everything, 'blocked', says(Buffer.from('15030300020228', 'hex'))),
  connection('tls-half-a-record', everything, 'blocked', says(Buffer.from('160303007a02', 'hex'))),
  connection('tls-huge-record', everything, 'blocked', says(Buffer.from('160303ffff0200', 'hex'))),
];

const certificates: readonly Behaviour[] = [
  { id: 'tls/unknown-authority', when: everything, outcome: 'blocked', certificate: 'of-another-authority' },
  { id: 'tls/other-name', when: everything, outcome: 'blocked', certificate: 'of-another-name' },
  { id: 'tls/only-http-2', when: everything, outcome: 'blocked', onlyHttp2: true },
  { id: 'tls/too-old', when: everything, outcome: 'blocked', newestTls: 'TLSv1.1' },
];

/** Behaviours that write bytes of their own where an answer should be. */
const instead = (
  id: string,
  when: When,
  outcome: Outcome,
  write: (surroundings: Surroundings, reply: Reply) => void,
): Behaviour => ({
  id: `http/${id}`,
  when,
  outcome,
  writesItself: true,
  answer: (reply, surroundings) => {
    write(surroundings, reply);
    return undefined;
  },
});

const bytes = (id: string, text: string | Buffer, outcome: Outcome = 'survived', when = some): Behaviour =>
  instead(id, when, outcome, ({ socket }) => socket.end(text));

const open = (id: string, text: string): Behaviour =>
  instead(id, some, 'survived', ({ socket }) => socket.write(text));

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const drip = ({ socket }: Surroundings, text: string): void => {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= text.length || socket.destroyed) clearInterval(timer);
    else socket.write(text.charAt(at++));
  }, 100);
  socket.once('close', () => clearInterval(timer));
};

const framing: readonly Behaviour[] = [
  instead('resets', everything, 'blocked', ({ socket }) => socket.destroy()),
  instead('resets-some', some, 'survived', ({ socket }) => socket.destroy()),
  instead('never-answers', everything, 'blocked', () => {}),
  instead('never-answers-some', { oneIn: 40 }, 'survived', () => {}),
  instead('goes-silent', late, 'gives-up', () => {}),
  instead('drips-headers', { oneIn: 40 }, 'survived', (at) => drip(at, `${ok}X-Long: ${'a'.repeat(9999)}`)),
  instead('drips-body', { oneIn: 40 }, 'survived', (at) =>
    drip(at, `${ok}Content-Length: 9999\r\n\r\n{"a":"`),
  ),
  instead('answers-others', { oneIn: 6 }, 'survived', ({ socket, previous }, reply) =>
    socket.end(plain(previous ?? reply)),
  ),
  instead('answers-twice', { oneIn: 6 }, 'survived', ({ socket }, reply) =>
    socket.end(Buffer.concat([plain(reply), plain(reply)])),
  ),
  bytes('half-a-status-line', 'HTTP/1.'),
  bytes('garbage', Buffer.alloc(2000, 0xee)),
  bytes('no-status-line', '{"paymentId":"p1"}'),
  bytes('status-0', 'HTTP/1.1 0 None\r\n\r\n'),
  bytes('status-9999', 'HTTP/1.1 9999 Many\r\n\r\n'),
  bytes(
    'switches-protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  ),
  bytes('informs-without-end', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5000)}`),
  bytes('http-2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  bytes('huge-header', `${ok}X-Huge: ${'h'.repeat(5_000_000)}\r\n\r\n{}`),
  bytes('many-headers', `${ok}${'X-Many: 1\r\n'.repeat(50_000)}\r\n{}`),
  bytes('header-with-nul', `${ok}X-Nul: a\0b\r\nContent-Length: 2\r\n\r\n{}`),
  bytes('header-without-colon', `${ok}Nonsense\r\nContent-Length: 2\r\n\r\n{}`),
  bytes('length-too-long', `${ok}Content-Length: 5000\r\n\r\n{}`),
  bytes('length-negative', `${ok}Content-Length: -2\r\n\r\n{}`),
  bytes('length-of-text', `${ok}Content-Length: two\r\n\r\n{}`),
  bytes('two-lengths', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
  bytes(
    'length-and-chunks',
    `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`,
  ),
  bytes('chunk-of-nonsense', `${ok}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n`),
  bytes('chunk-without-end', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  bytes('chunk-of-all', `${ok}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}`),
  open('headers-without-end', ok),
  open('body-without-end', `${ok}Content-Length: 5000\r\n\r\n{"a":`),
];

/** A sound answer, written on the wire in a way that few servers use. */
const written = (
  id: string,
  outcome: Outcome,
  write: (reply: Reply) => string | Buffer,
  when: When = everything,
): Behaviour => instead(id, when, outcome, ({ socket }, reply) => socket.end(write(reply)));

const head = ({ status, headers }: Reply, further: string, version = 'HTTP/1.1'): string =>
  `${version} ${status} Told\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}${further}\r\n`;

const chunked = (reply: Reply, size: number, extension = '', trailers = ''): Buffer => {
  const chunks: Buffer[] = [Buffer.from(head(reply, 'Transfer-Encoding: chunked\r\n'))];
  for (let at = 0; at < reply.body.length; at += size) {
    const chunk = reply.body.subarray(at, at + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from(`0\r\n${trailers}\r\n`)]);
};

const oddly: readonly Behaviour[] = [
  written('chunks-of-one', 'survived', (reply) => chunked(reply, 1)),
  written('chunk-extensions', 'survived', (reply) => chunked(reply, 500, `;a="${'x'.repeat(2000)}"`)),
  written(
    'chunk-extension-huge',
    'survived',
    (reply) => chunked(reply, 500, `;${'x'.repeat(5_000_000)}`),
    some,
  ),
  written('trailers', 'survived', (reply) =>
    chunked(reply, 500, '', 'Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nSet-Cookie: late=1\r\nX-Trailer: 1\r\n'),
  ),
  written(
    'trailers-huge',
    'survived',
    (reply) => chunked(reply, 500, '', 'X-T: 1\r\n'.repeat(100_000)),
    some,
  ),
  written('continues-unasked', 'survived', (reply) =>
    Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), plain(reply)]),
  ),
  written('early-hints', 'survived', (reply) =>
    Buffer.concat([
      Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'.repeat(200)),
      plain(reply),
    ]),
  ),
  written('no-length', 'survived', (reply) =>
    Buffer.concat([Buffer.from(head(reply, 'Connection: close\r\n')), reply.body]),
  ),
  written(
    'no-length-cut',
    'survived',
    (reply) =>
      Buffer.concat([
        Buffer.from(head(reply, 'Connection: close\r\n')),
        reply.body.subarray(0, Math.ceil(reply.body.length / 2)),
      ]),
    some,
  ),
  written('http-1.0', 'survived', (reply) =>
    Buffer.concat([Buffer.from(head(reply, 'Connection: close\r\n', 'HTTP/1.0')), reply.body]),
  ),
  written(
    'bare-newlines',
    'survived',
    (reply) => plain(reply).toString('latin1').replaceAll('\r\n', '\n'),
    some,
  ),
  written(
    'reason-huge',
    'survived',
    (reply) => plain(reply).toString('latin1').replace('Told', 'r'.repeat(200_000)),
    some,
  ),
  written('folded-header', 'survived', (reply) => head(reply, 'X-Folded: a\r\n b\r\n').concat('{}'), some),
  written('space-before-colon', 'survived', (reply) => head(reply, 'X-Odd : a\r\n').concat('{}'), some),
  written('huge-link', 'survived', (reply) => head(reply, `Link: <${'l'.repeat(100_000)}>\r\n`), some),
  written('huge-cookie', 'survived', (reply) => head(reply, `Set-Cookie: ${'c'.repeat(100_000)}\r\n`), some),
  written('encoded-twice', 'survived', (reply) => head(reply, 'Transfer-Encoding: gzip, chunked\r\n'), some),
];

const plain = ({ status, headers, body }: Reply): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} Told\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Content-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]);

/** What is wrong with the connection, or with the way in which an answer is written on it. */
export const wireBehaviours: readonly Behaviour[] = [...connections, ...certificates, ...framing, ...oddly];
