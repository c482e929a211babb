/** There is no such task, or none any more: it was removed with everything that belonged to it. */
export class UnknownTaskError extends Error {
  override readonly name = 'UnknownTaskError'
  readonly taskId: string

  constructor(taskId: string) {
    super(`There is no task ${taskId}`)
    this.taskId = taskId
  }
}
