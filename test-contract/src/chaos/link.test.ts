import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Link } from './link.js'

async function openEcho(): Promise<Link> {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const link = await Link.open((server.address() as AddressInfo).port)
  onTestFinished(() => {
    link.close()
    server.close()
  })
  return link
}

function reach(link: Link): Socket {
  const socket = connect(link.port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return socket
}

async function echo(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString()
}

it('passes on, ends what it carries when it is cut, and passes on again', async () => {
  const link = await openEcho()
  const socket = reach(link)
  expect(await echo(socket, 'one')).toBe('one')
  link.cut(false)
  await once(socket, 'close')
  await once(reach(link), 'close')
  link.heal()
  expect(await echo(reach(link), 'two')).toBe('two')
})

it('passes on after a silence what was sent during it, on old connections and on new ones', async () => {
  const link = await openEcho()
  const before = reach(link)
  expect(await echo(before, 'one')).toBe('one')
  link.cut(true)
  const answers: string[] = []
  const meanwhile = [before, reach(link)].map(async (socket) => answers.push(await echo(socket, 'two')))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(answers).toEqual([])
  link.heal()
  await Promise.all(meanwhile)
  expect(answers).toEqual(['two', 'two'])
})
