/** A follower of a task's log took too little of what came, and so gets no more of it. Another one may go on where it was. */
export class SlowFollowerError extends Error {
  override readonly name = 'SlowFollowerError'
  readonly taskId: string
  /** The last entry that was taken: what comes after it is to be followed. */
  readonly after: number

  constructor(taskId: string, after: number) {
    super(`A follower of task ${taskId} was too slow: follow it again after entry ${after}`)
    this.taskId = taskId
    this.after = after
  }
}
