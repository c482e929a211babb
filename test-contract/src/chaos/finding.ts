/** What can have become of something that was accepted. */
export type Damage = 'lost' | 'doubled' | 'stuck' | 'wrong' | 'left over'

/** One thing that should not be. */
export interface Finding {
  readonly damage: Damage
  readonly what: string
}

export const DAMAGES: readonly Damage[] = ['lost', 'doubled', 'stuck', 'wrong', 'left over']

export function found(damage: Damage, what: string): Finding {
  return { damage, what }
}
