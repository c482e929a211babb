/** A worker in this process, that lives as long as the harness. */
export interface WorkerPort {
  /** Begins to work. Rejects only where it never can: an engine that is away for now is waited for. */
  start(): Promise<void>
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>
  /** `'running'`, or why it is not. */
  status(): string
}
