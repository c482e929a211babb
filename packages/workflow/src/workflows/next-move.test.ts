import { describe, expect, test } from 'vitest'
import { type Lane, nextMove, type Situation } from './next-move.js'

const IDLE: Situation = {
  terminal: false,
  message: false,
  command: false,
  look: false,
  running: new Set(),
  historyFull: false,
}

function running(...lanes: Lane[]): ReadonlySet<Lane> {
  return new Set(lanes)
}

describe('nextMove', () => {
  test.each<[string, Partial<Situation>, ReturnType<typeof nextMove>]>([
    ['parks when nothing waits', {}, 'park'],
    ['runs a turn for a message', { message: true }, 'turn'],
    ['runs one turn at a time', { message: true, running: running('turn') }, undefined],
    ['runs a command beside a turn', { message: true, command: true, running: running('turn') }, 'command'],
    ['runs one command at a time', { command: true, running: running('command') }, undefined],
    ['looks when it is asked to, beside everything else', { look: true, running: running('turn', 'command') }, 'look'],
    ['waits for what runs', { running: running('look') }, undefined],
    ['ends with the task, whatever runs or waits', { terminal: true, message: true, running: running('turn') }, 'end'],
    ['starts no turn with a full history', { message: true, running: running('command'), historyFull: true }, undefined],
    ['does not hold up commands for a turn that runs', { command: true, running: running('turn'), historyFull: true }, 'command'],
    ['comes to rest with a full history', { command: true, running: running('look'), historyFull: true }, undefined],
    ['goes on as a new run when work waits', { message: true, historyFull: true }, 'continue-as-new'],
    ['goes on as a new run to look', { look: true, historyFull: true }, 'continue-as-new'],
    ['ends instead of parking with a full history', { historyFull: true }, 'end'],
  ])('%s', (_, situation, move) => {
    expect(nextMove({ ...IDLE, ...situation })).toBe(move)
  })
})
