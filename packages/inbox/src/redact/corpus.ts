/**
 * What has to be found and what must not be: the data of the redaction's tests, of the search through everything that a test run has stored, and of tests of
 * your own. Secrets are put together here, so that no file has one.
 * @module
 */

/** A text with a secret in it. */
export interface SecretEntry {
  readonly name: string
  readonly text: string
  /** What must not be left of it. */
  readonly secret: string
}

const RANDOM = 'Zk3vQ9pL7wXr2TbN8sYd4HfJ6mGc1VaE'
const base64Url = (value: object) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const jwt = [base64Url({ alg: 'ES256', typ: 'JWT' }), base64Url({ sub: 'ann', iat: 1_764_500_000 }), `${RANDOM}${RANDOM}`].join('.')
const pem = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')

const entry = (name: string, secret: string, around: (secret: string) => string = (text) => text): SecretEntry => ({
  name,
  secret,
  text: around(secret),
})

/** What an operator configured, and so is a secret whatever it looks like. */
export const CONFIGURED_SECRET = ['correct', 'horse', 'battery', '4711'].join(' ')

export const SECRETS: readonly SecretEntry[] = [
  entry('a bearer token', RANDOM, (token) => `curl -H 'Authorization: Bearer ${token}' https://api.example`),
  entry('a bearer token in prose', `${RANDOM}.x`, (token) => `use bearer ${token} please`),
  entry('a basic credential', btoa('ann:hunter2-and-more'), (token) => `Authorization: Basic ${token}`),
  entry('an authorization of another scheme', RANDOM, (token) => `"authorization": "Token ${token}"`),
  entry('an authorization without a scheme', RANDOM, (token) => `proxy-authorization: ${token}`),
  entry('a JWT', jwt),
  entry('a JWT in a sentence', jwt, (token) => `The token (${token}) was refused.`),
  entry('a JWT without a signature', `${jwt.split('.').slice(0, 2).join('.')}.`),
  entry('a model key', ['sk', 'proj', RANDOM].join('-')),
  entry('a short model key', ['sk', 'a1b2c3d4e5'].join('-'), (key) => `my key is ${key}.`),
  entry('a payment key', ['sk', 'live', RANDOM].join('_')),
  entry('a token of a code host', ['ghp', RANDOM].join('_'), (key) => `git clone https://${key}@code.example/x.git`),
  entry('a token of another code host', ['glpat', RANDOM].join('-')),
  entry('a chat token', ['xoxb', '123456789012', RANDOM].join('-')),
  entry('a cloud key', `${'AKIA'}QZ7XK2M4N6P8R0T3`, (key) => `aws_access_key_id = ${key}`),
  entry('another cloud key', `${'AIza'}SyD${RANDOM}`),
  entry('a registry token', ['npm', `${RANDOM}abcd`].join('_')),
  entry('a password in an assignment', 'hunter2', (secret) => `DB_PASSWORD=${secret} npm start`),
  entry('a password of letters', 'letmein', (secret) => `password=${secret}`),
  entry('a password with a colon', 'hunter2!', (secret) => `password: ${secret}`),
  entry('a password in quotes', 'with several words', (secret) => `passphrase: "${secret}"`),
  entry('a secret in JSON', 'some-client-value', (secret) => JSON.stringify({ client_secret: secret, id: 7 })),
  entry('a secret in escaped JSON', 'some-client-value', (secret) => JSON.stringify(JSON.stringify({ clientSecret: secret }))),
  entry('a secret in YAML', 'abc-123-def', (secret) => `kind: Secret\napi-key: ${secret}\n`),
  entry('a token in a query', 'abc123def', (secret) => `https://api.example/v1?page=2&access_token=${secret}&x=1`),
  entry('a signed URL', RANDOM, (secret) => `https://files.example/a.pdf?se=2026&sig=${secret}`),
  entry('a database URL', 's3cr3t!', (secret) => `postgres://app:${secret}@db.internal:5432/app`),
  entry('a password with an @ in a URL', 'p@s3cr3t', (secret) => `postgres://app:${secret}@db.internal/app`),
  entry('a password alone in a URL', 's3cr3t', (secret) => `redis://:${secret}@cache:6379`),
  entry('a password with a quote in it', 'ab\\"cd-rest', (secret) => `{"password":"${secret}","id":7}`),
  entry('a token on a command line', RANDOM, (secret) => `deploy --api-token ${secret} --force`),
  entry('a cookie', `session=${RANDOM}; theme=dark`, (secret) => `Cookie: ${secret}\nAccept: */*`),
  entry('a webhook of a chat', `T00000000/B00000000/${RANDOM}`, (secret) => `https://hooks.slack.com/services/${secret}`),
  entry('a secret of webhooks', ['whsec', RANDOM].join('_')),
  entry('a key of a vault', ['hvs', RANDOM].join('.')),
  entry('a key of an account', `${RANDOM}==`.slice(0, 30), (secret) => `AccountName=a;AccountKey=${secret}`),
  entry('a private key', `${RANDOM}\n${RANDOM}`, (body) => `${pem}\n${body}\n${pem.replace('BEGIN', 'END')}\nthat was it`),
  entry('a private key without its end', `${RANDOM}\n${RANDOM}`, (body) => `${pem.replace('PRIVATE', 'RSA PRIVATE')}\n${body}`),
  entry('a configured secret', CONFIGURED_SECRET, (secret) => `say "${secret}" to open`),
  entry('a configured secret in base64', btoa(CONFIGURED_SECRET).replace(/=+$/, ''), (secret) => `data:text/plain;base64,${secret}==`),
  entry('a configured secret in a URL', encodeURIComponent(CONFIGURED_SECRET), (secret) => `https://a.example/?q=${secret}`),
]

/** What looks like a secret to who looks too quickly. */
export const INNOCENT: readonly string[] = [
  'c6f2b1de-5a1f-4c5e-9d51-6f2f6a1f9b7e',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it',
  'a task-force of risk-averse desk-workers asks for disk-space-1234567',
  'import sklearn; from sk-learn-contrib import trees',
  'The token count: 512, of max_tokens=4096; tokens: 12',
  'token=512 was the last one of this page',
  'nextPageToken=eyJ is not long enough',
  'Bearer authentication is described in RFC 6750, basic authentication in RFC 7617.',
  'A bearer certificate is a basic understanding between parties.',
  'authorization: required',
  'Password: please choose a long one. Secret: the sauce.',
  'The password is never sent; the secret to happiness is sleep.',
  'https://example.com:8443/path?page=2&sort=name#top',
  'ssh://git@code.example/team/repo.git and mailto:ann@example.com',
  'ann.smith+news@example.co.uk, MRN 00123456, +44 20 7946 0958',
  'const tokenCount = countTokens(text); const key = keys[0]',
  'const token = await fetchToken(); let password = undefined; if (secret === other) return; const api_key = process.env.API_KEY',
  'secrets.map(secret => secret.id)',
  'use --password to log in, --token parameters are read from a file; the cookie: accept or refuse',
  'key=value; mode=fast; color=#ff8800; version=1.2.3-rc.4',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----\nMIIB8jCCAZigAwIBAgIU\n-----END CERTIFICATE-----',
  'urn:moorage:a2a:task:v1 and application/vnd.moorage.task+json',
  'eyJ is how base64url of JSON begins',
  'npm_config_loglevel=verbose hf_hub is a library',
  'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. 🔑',
  '[redacted] password=[redacted] Bearer [redacted] https://[redacted]@host',
]
