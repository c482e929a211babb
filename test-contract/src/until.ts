import { setTimeout } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.js'

/** Resolves with the first value that is neither false nor undefined; asks ten times a second. Rejects with what `ask` throws. */
export async function until<T>(ask: () => Promise<T | false | undefined> | T | false | undefined): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const value = await ask()
    if (value !== false && value !== undefined) return value
    if (performance.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain for ${ask}`)
    await setTimeout(100)
  }
}
