/** `npm start`: apps/agent. */
import { runApp } from './run-app.mjs'

await runApp('agent')
