/** What runs in a process at the moment. */
export interface WorkerLoad {
  turns: number
  commands: number
}

/** The Activity, counted while it runs. */
export function counted<Input, Output>(
  load: WorkerLoad,
  kind: keyof WorkerLoad,
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    load[kind] += 1
    try {
      return await activity(input)
    } finally {
      load[kind] -= 1
    }
  }
}
