/** A field's camelCase name as the proto spells it, which ProtoJSON takes too. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
