/** Names that a tenant cannot have: as the first segment of a path each of them would be taken for a route, or for a mistyped one. */
export const RESERVED_TENANTS: readonly string[] = ['v1', 'tasks', 'message:send', 'message:stream', 'a2a', 'ui', 'extendedAgentCard']
