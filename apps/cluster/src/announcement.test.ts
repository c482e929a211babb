import { expect, it } from 'vitest'
import { type AnnouncementOptions, announcement } from './announcement.js'

const service = { grpc: 7233, membership: 6933 }
const options: AnnouncementOptions = {
  url: 'http://127.0.0.1:8080',
  ports: {
    proxy: 8080,
    postgres: 5432,
    temporal: { frontend: service, history: service, matching: service, worker: service },
    agents: [1001, 1002],
    workers: [2001, 2002],
  },
  folder: '/home/.moorage-cluster',
  processes: ['agent 1', 'worker 2', 'Temporal', 'Postgres'].map((name, index) => ({ name, pid: () => index + 1 })),
  isBuiltIn: true,
  messageId: 'm-1',
}

it('says where everything is, and what to try', () => {
  const lines = announcement(options).split('\n')
  expect(lines).toContain('  JSON-RPC    http://127.0.0.1:8080/a2a')
  expect(lines).toContain('  agent 1     pid 1        http://127.0.0.1:1001')
  expect(lines).toContain('  worker 2    pid 2        http://127.0.0.1:2002/readyz')
  expect(lines).toContain('  Temporal    pid 3        127.0.0.1:7233, namespace default')
  expect(lines).toContain('  logs        /home/.moorage-cluster/logs')
  expect(announcement(options)).toContain(`"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"count to 50"}]`)
})

it('greets an agent of which it does not know what it understands', () => {
  expect(announcement({ ...options, isBuiltIn: false })).toContain('[{"text":"hello"}]')
})
