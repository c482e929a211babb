/** Why the cluster cannot start or go on, in sentences for the person at the terminal. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError'
}
