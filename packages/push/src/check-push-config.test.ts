import { expect, test } from 'vitest'
import { checkPushConfig } from './check-push-config.js'

const url = 'https://example.com/hook?key=1#x'

test.each([
  { url },
  { url: 'HTTP://127.0.0.1:8080/' },
  { url, token: 'x'.repeat(4096), authentication: { scheme: 'Bearer', credentials: 'a b~' } },
  { url, authentication: { scheme: 'Basic' } },
])('takes what can be sent: %#', (config) => {
  expect(checkPushConfig(config)).toEqual([])
})

test.each([
  [{ url: 'ftp://example.com/' }, ['url']],
  [{ url: '/hook' }, ['url']],
  [{ url: 'https://' }, ['url']],
  [{ url: 'https://[::1/' }, ['url']],
  [{ url: 'https://example.com/a b' }, ['url']],
  [{ url: 'https://example.com/\u0000' }, ['url']],
  [{ url: 'https://münchen.example/' }, ['url']],
  [{ url: `https://example.com/${'x'.repeat(2048)}` }, ['url']],
  [{ url: 'https://ann:secret@example.com/' }, ['url']],
  [{ url: 'https://ann@example.com/' }, ['url']],
  [{ url, id: '.' }, ['id']],
  [{ url, id: '..' }, ['id']],
  [{ url, token: 'x'.repeat(4097) }, ['token']],
  [{ url, token: 'line\nbreak' }, ['token']],
  [
    { url, authentication: { scheme: 'Bearer\r\nX-Evil: 1', credentials: 'grüße' } },
    ['authentication.scheme', 'authentication.credentials'],
  ],
])('names what is wrong: %#', (config, fields) => {
  const violations = checkPushConfig(config)
  expect(violations.map(({ field }) => field)).toEqual(fields)
  expect(JSON.stringify(violations)).not.toMatch(/secret|Evil|grüße/)
})

test('names a config within a message', () => {
  const [violation] = checkPushConfig({ url: 'https://a:b@example.com/' }, 'configuration.taskPushNotificationConfig')
  expect(violation).toEqual({
    field: 'configuration.taskPushNotificationConfig.url',
    description: 'Leave user and password out of the URL: give them in authentication.',
  })
})
