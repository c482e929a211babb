/** What is wrong with the configuration, all of it at once. Each fault is a sentence that names the variable and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[], options?: ErrorOptions) {
    super(faults.join('\n'), options)
    this.faults = faults
  }
}
