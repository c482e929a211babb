/** A policy of the agent threw, took too long or returned what is no decision: `cause` says which. Nothing was recorded but the refusal. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'

  constructor(point: string, cause: unknown) {
    super(`The agent's policy ${point} has failed`, { cause })
  }
}
