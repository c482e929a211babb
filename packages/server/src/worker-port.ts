/** A worker in this process that lives as long as the harness; `createWorker` of `@moorage/workflow/worker` makes one. */
export interface WorkerPort {
  /** Begins to work. Throws only where it never can: an engine that is away for now is waited for. */
  start(): void | Promise<void>
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>
  /** Whether Temporal answers, so that tasks run. */
  status(): { readonly connected: boolean }
}
