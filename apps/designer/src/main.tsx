import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.ts';
import { router } from './app/router.tsx';
import { startTexts } from './text/texts.ts';
import './theme/tokens.css';
import './theme/base.css';
import { applyTheme } from './theme/theme.ts';

applyTheme();
await startTexts();
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
