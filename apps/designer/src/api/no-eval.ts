import { config } from 'zod';

// Before any schema is made: the policy of the page forbids compiling code, and zod would try.
config({ jitless: true });
