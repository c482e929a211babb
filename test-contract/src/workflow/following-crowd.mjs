// Clients that follow one task, each over a socket of its own: `fork(…, [<port>, <task>, <how many>])`. One of them reads nothing after its first
// bytes until it is told to. Tells the parent `{ following }` once each has its first event, then what all got.
import { once } from 'node:events'
import { connect } from 'node:net'

const [, , port, taskId, count] = process.argv
const AT_ONCE = 100

/** Counts the events that come one after another. `began` resolves with the first bytes, `ended` when the server ends the connection. */
function follow(lastEventId, reads = true) {
  const socket = connect(Number(port), '127.0.0.1')
  const resume = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`
  socket.write(`GET /a2a/tasks/${taskId}:subscribe HTTP/1.1\r\nHost: agent.test\r\nA2A-Version: 1.0\r\nConnection: close\r\n${resume}\r\n`)
  const got = { status: 0, ids: [], text: '' }
  let rest = ''
  const take = (line) => {
    if (line.startsWith('HTTP/')) got.status = Number(line.split(' ')[1])
    else if (line.startsWith('id: ')) got.ids.push(Number(line.slice(4)))
    else if (line.includes('"artifactId":"numbers"')) got.text += /"text":"([^"]*)"/.exec(line)?.[1] ?? ''
  }
  socket.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(take)
  })
  const began = new Promise((resolve, reject) => {
    socket.once('error', reject).once('data', () => {
      if (!reads) socket.pause()
      resolve()
    })
  })
  const ended = new Promise((resolve, reject) => socket.once('error', reject).once('end', () => resolve(got)))
  return { began, ended, read: () => socket.resume() }
}

// The log before the task as it is fills the connection, and more.
const silent = follow(0, false)
await silent.began
const readers = []
while (readers.length < Number(count) - 1) {
  const more = Array.from({ length: Math.min(AT_ONCE, Number(count) - 1 - readers.length) }, () => follow())
  readers.push(...more)
  await Promise.all(more.map(({ began }) => began))
}
process.send({ following: readers.length + 1 })
const readOn = once(process, 'message')
const kinds = new Map()
for (const { ended } of readers) {
  const kind = JSON.stringify(await ended)
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
}
process.send({ readers: [...kinds].map(([kind, clients]) => ({ clients, ...JSON.parse(kind) })) })
await readOn
silent.read()
const cut = await silent.ended
process.send({ cut, resumed: await follow(cut.ids.at(-1)).ended })
