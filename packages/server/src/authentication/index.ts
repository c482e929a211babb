/**
 * Who calls: the built-in authenticators, and what an authenticator of your own is made with. Runs on Fetch.
 * @module
 */
export { type ApiKey, type ApiKeysOptions, apiKeys, digestApiKey } from './api-keys.js'
export type { AuthenticationRequest } from './authentication-request.js'
export {
  type Authenticate,
  type Authentication,
  type Authenticator,
  type AuthenticatorOptions,
  defineAuthenticator,
  type Finding,
  isAuthenticator,
  type Rejection,
  type SecuritySchemes,
} from './authenticator.js'
export type { Identity } from './identity.js'
export { type ClaimReader, type JwtBearerOptions, jwtBearer } from './jwt-bearer.js'
export { type TrustedPerimeterOptions, trustedPerimeter } from './trusted-perimeter.js'
