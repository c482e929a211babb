import type { TaskWaker } from '@moorage/workflow/client'

/** How long a probe of `/readyz` waits for Temporal: well below the second that a load balancer often waits for the probe. */
const PATIENCE_MS = 500
/** How old a look may be: nobody who asks more often has more looks made. */
const FRESH_MS = 1000

/** Says for `/readyz` whether Temporal answers. A Temporal that is silent has not answered. */
export function createTemporalLook(waker: Pick<TaskWaker, 'check'>): () => Promise<boolean> {
  let look: Promise<boolean> | undefined
  let madeAt = Number.NEGATIVE_INFINITY
  return function reachesTemporal() {
    if (!look || performance.now() - madeAt > FRESH_MS) {
      look = within(
        PATIENCE_MS,
        waker.check().then(({ connected }) => connected),
      )
      madeAt = performance.now()
    }
    return look
  }
}

function within(ms: number, answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
