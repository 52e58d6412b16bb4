import { z } from 'zod';
import { Credential, CredentialList, CredentialName, SetCredential } from '../schemas/index.ts';
import { json, route } from './route.ts';

export const credentialRoutes = {
  listCredentials: route({
    method: 'GET',
    path: '/v1/credentials',
    summary: 'List the credentials of the workspace by name, never with a value',
    tag: 'access',
    auth: 'admin',
    replies: { 200: json(CredentialList, 'Every credential') },
    errors: [],
  }),
  setCredential: route({
    method: 'PUT',
    path: '/v1/credentials',
    summary: 'Set a credential, in the place of the one with the same name',
    tag: 'access',
    auth: 'admin',
    body: SetCredential,
    replies: { 200: json(Credential, 'The credential, without its value') },
    errors: ['credentials_off'],
  }),
  removeCredential: route({
    method: 'DELETE',
    path: '/v1/credentials/:credential',
    summary: 'Remove a credential; what names it finds the secret of the workers’ environment, or nothing',
    tag: 'access',
    auth: 'admin',
    params: z.object({ credential: CredentialName }),
    replies: { 200: json(Credential, 'The credential as it was') },
    errors: ['credential_not_found'],
  }),
};
