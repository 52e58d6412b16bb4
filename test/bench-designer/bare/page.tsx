import {
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useEdgesState,
  useNodesState,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { memo, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import type { BareFlow } from '../probe/contract.ts';
import { followRun } from './follow-run.ts';

// The same graph by React Flow alone: what any canvas built on it costs at least.

declare global {
  var bareFlow: BareFlow;
}

type BareNode = Node<{ readonly title: string; readonly ports: readonly string[]; readonly status?: string }>;

interface BareGraph {
  readonly nodes: BareNode[];
  readonly edges: Edge[];
}

const Card = memo(function Card({ data: { title, ports, status } }: NodeProps<BareNode>) {
  return (
    <div className="card">
      {title}
      {status && <i>{status}</i>}
      <Handle id="in" type="target" position={Position.Left} style={{ top: 32 }} />
      {ports.map((port, at) => (
        <Handle key={port} id={port} type="source" position={Position.Right} style={{ top: 32 + at * 22 }} />
      ))}
    </div>
  );
});

const NODE_TYPES = { bare: Card };
const FIT = { padding: 0.05 };

function Bare({ graph, runId }: { readonly graph: BareGraph; readonly runId: string | null }) {
  const [nodes, setNodes, changeNodes] = useNodesState(graph.nodes);
  const [edges, , changeEdges] = useEdgesState(graph.edges);
  const { setViewport } = useReactFlow();
  useEffect(() => {
    globalThis.bareFlow = {
      look: (viewport) => void setViewport(viewport),
      place: (places) =>
        setNodes((before) =>
          before.map((node) => (places[node.id] ? { ...node, position: places[node.id]! } : node)),
        ),
    };
    if (runId === null) return;
    return followRun(runId, (id, status) =>
      setNodes((before) =>
        before.map((node) =>
          node.id === id
            ? { ...node, ariaLabel: `${node.data.title}, ${status}`, data: { ...node.data, status } }
            : node,
        ),
      ),
    );
  }, [setNodes, setViewport, runId]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodesChange={changeNodes}
      onEdgesChange={changeEdges}
      onlyRenderVisibleElements={nodes.length > 150}
      fitView
      fitViewOptions={FIT}
      minZoom={0.1}
      proOptions={{ hideAttribution: true }}
    />
  );
}

const wanted = new URLSearchParams(location.search);
const graph: BareGraph = await (await fetch(`/graphs/${wanted.get('graph')}`)).json();
const root = document.getElementById('root')!;
for (const side of ['left', 'top', 'width', 'height'] as const) root.style[side] = `${wanted.get(side)}px`;
createRoot(root).render(
  <ReactFlowProvider>
    <Bare graph={graph} runId={wanted.get('run')} />
  </ReactFlowProvider>,
);
