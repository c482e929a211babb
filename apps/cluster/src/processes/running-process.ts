/** A process that serves. */
export interface RunningProcess {
  readonly pid: number
  /** Resolves when it has ended, however it came to that, with how: "with code 1", "by SIGKILL". */
  readonly ended: Promise<string>
  /** Has it end in order, by force where that takes too long; resolves when it has ended. */
  stop(): Promise<void>
}
