// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Requests for paths that are answered within a budget of work a frame.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Octile {

/// <summary>A path that a <see cref="PathQueue"/> finds when its budget allows. Make one and use it
/// again and again: once its arrays are long enough it makes no garbage. Look at
/// <see cref="IsPending"/>, set <see cref="Done"/>, or await it in an async method.</summary>
public sealed class PathRequest {
    /// <summary>What is asked; set it before <see cref="PathQueue.Submit"/>.</summary>
    public readonly PathQuery Query = new PathQuery();
    /// <summary>Told when there is an answer, by the thread that works.</summary>
    public Action<PathRequest> Done;

    /// <summary>Between <see cref="PathQueue.Submit"/> and the answer, or its end without one.</summary>
    public bool IsPending { get { return queue != null; } }
    /// <summary>It ended without an answer: by <see cref="PathQueue.Cancel"/>, by its token, or with
    /// the queue.</summary>
    public bool IsCancelled { get; internal set; }
    /// <summary>The question made no sense; null when it did. The answer's status is
    /// <see cref="Status.BadArgument"/> then.</summary>
    public OctileException Error { get; internal set; }
    public PathAnswer Answer { get; internal set; }
    /// <summary>The path: the first <see cref="Count"/> elements. Overwritten by the next answer.</summary>
    public Cell[] Cells { get { return cells; } }
    /// <summary>The same as world points, the centres of the cells.</summary>
    public WorldPoint[] Points { get { return points; } }
    public int Count { get; internal set; }

    internal Cell[] cells = new Cell[64];
    internal WorldPoint[] points = new WorldPoint[64];
    internal CancellationToken token;
    internal Action continuation;
    internal PathQueue queue;  // in which it waits

    /// <summary>Forgets the path.</summary>
    public void Clear() { Count = 0; }

    /// <summary>For await: gives whether there is a path; throws OperationCanceledException when it
    /// was cancelled, and <see cref="Error"/>. It goes on in the thread that works.</summary>
    public Awaiter GetAwaiter() { return new Awaiter(this); }

    public struct Awaiter : INotifyCompletion {
        private readonly PathRequest request;
        internal Awaiter(PathRequest request) { this.request = request; }
        public bool IsCompleted { get { return !request.IsPending; } }
        public void OnCompleted(Action continuation) { request.continuation += continuation; }
        public bool GetResult() {
            if (request.IsCancelled) throw new OperationCanceledException(request.token);
            if (request.Error != null) throw request.Error;
            return request.Answer.HasPath;
        }
    }

    internal void End() {
        queue = null;
        Action next = continuation;
        continuation = null;
        if (!IsCancelled && Done != null) Done(this);
        if (next != null) next();
    }
}

/// <summary>A path that was found by <see cref="PathQueue.FindAsync"/>; yours to keep.</summary>
public struct FoundPath {
    public PathAnswer Answer;
    /// <summary>Both ends included; empty without a path.</summary>
    public Cell[] Cells;
}

/// <summary>Answers requests one after the other, in slices of bounded work: call
/// <see cref="Work"/> every frame, in the thread that owns the queue. No thread, no callback from
/// native code. Without <see cref="FindAsync"/> it makes no garbage once warm.</summary>
public sealed class PathQueue : IDisposable {
    private readonly Queue<PathRequest> queue = new Queue<PathRequest>();
    private readonly Stack<PathRequest> spare = new Stack<PathRequest>();
    private readonly PathSearcher worker = new PathSearcher();
    private PathRequest current;
    private int tokens;
    private bool disposed;

    /// <summary>What requests are begun on from now on; the one in work goes on with its own. Not
    /// disposed of by the queue.</summary>
    public View View;
    /// <summary>When not null: emptied at the beginning of each request, and records it. Queries that
    /// leave the choice to the engine are then answered by A*, whose steps can be drawn.</summary>
    public SearchTrace Trace;
    /// <summary>Told of each answer, and of each question that made no sense, before
    /// <see cref="PathRequest.Done"/>; the trace is still that of the request.</summary>
    public Action<PathRequest> Ended;

    /// <summary>Requests that wait, the one in work included.</summary>
    public int Pending { get { return queue.Count + (current == null ? 0 : 1); } }

    /// <summary>Asks for a path. A request that waits already keeps its place with the new question;
    /// one that is in work begins anew, behind the others. One that waits in another queue is refused:
    /// cancel it there first. The token is looked at by <see cref="Work"/>.</summary>
    public void Submit(PathRequest request, CancellationToken token = default(CancellationToken)) {
        if (request == null) throw new ArgumentNullException("request");
        if (disposed) throw new ObjectDisposedException("PathQueue");
        CheckOwner(request);
        Watch(request, token);
        if (request == current) current = null;
        else if (request.IsPending) return;
        request.queue = this;
        request.IsCancelled = false;
        request.Error = null;
        queue.Enqueue(request);
    }

    private void CheckOwner(PathRequest request) {
        if (request.IsPending && request.queue != this) throw new ArgumentException("the request waits in another queue", "request");
    }

    private void Watch(PathRequest request, CancellationToken token) {
        if (request.token.CanBeCanceled) --tokens;
        request.token = token;
        if (token.CanBeCanceled) ++tokens;
    }

    /// <summary>Ends a request without an answer: <see cref="PathRequest.Done"/> is not told, an await
    /// throws.</summary>
    public void Cancel(PathRequest request) {
        if (request == null || !request.IsPending) return;
        CheckOwner(request);
        if (request == current) {
            current = null;
        } else {
            for (int i = queue.Count; i > 0; --i) {
                PathRequest other = queue.Dequeue();
                if (other != request) queue.Enqueue(other);
            }
        }
        EndCancelled(request);
    }

    private void EndCancelled(PathRequest request) {
        if (request.token.CanBeCanceled) --tokens;
        request.IsCancelled = true;
        request.Count = 0;
        request.Answer = PathAnswer.Of(Status.Cancelled);
        request.End();
    }

    private void CancelByTokens() {
        if (tokens == 0) return;
        if (current != null && current.token.IsCancellationRequested) Cancel(current);
        for (int i = queue.Count; i > 0 && queue.Count > 0; --i) {
            PathRequest request = queue.Dequeue();
            if (request.token.IsCancellationRequested) EndCancelled(request);
            else queue.Enqueue(request);
        }
    }

    /// <summary>Goes on with the requests for about so many search nodes; an answer counts at least
    /// 16. Give a large number where all answers are wanted now. Without a view nothing is
    /// done.</summary>
    public void Work(long nodes) {
        if (disposed) throw new ObjectDisposedException("PathQueue");
        CancelByTokens();
        while (nodes > 0 && !disposed) {
            if (current == null) {
                if (queue.Count == 0 || View == null) return;
                current = queue.Dequeue();
                OctileException wrong = Begin(current);
                if (wrong != null) {
                    current.Answer = PathAnswer.Of(Status.BadArgument);
                    current.Error = wrong;
                    current.Count = 0;
                    Finish();
                    nodes -= 16;
                    continue;
                }
            }
            PathAnswer answer;
            long slice = Math.Min(nodes, 1 << 14);
            if (!worker.Step(slice, null, out answer)) {
                nodes -= slice;
                continue;
            }
            nodes -= Math.Max(16, Math.Min(slice, answer.Expanded));
            current.Answer = answer;
            Read(current, answer.HasPath ? answer.Length : 0);
            Finish();
        }
    }

    private OctileException Begin(PathRequest request) {
        PathQuery query = request.Query;
        SearchTrace trace = query.Trace;
        int solver = query.Solver;
        try {
            if (Trace != null) {
                Trace.Clear();
                query.Trace = Trace;
                if (solver == 0) query.Solver = Library.SolverId("astar");
            }
            worker.Begin(View, query);
            return null;
        } catch (OctileException error) {
            return error;
        } finally {
            query.Trace = trace;
            query.Solver = solver;
        }
    }

    private void Read(PathRequest request, int count) {
        request.Count = count;
        if (count == 0) return;
        if (request.cells.Length < count) {
            request.cells = new Cell[count + count / 2];
            request.points = new WorldPoint[count + count / 2];
        }
        worker.ReadPath(0, request.cells);
        worker.ReadPoints(0, request.points);
    }

    private void Finish() {
        PathRequest done = current;
        current = null;
        if (done.token.CanBeCanceled) --tokens;
        done.queue = null;
        if (Ended != null) Ended(done);
        done.End();
    }

    /// <summary>The same as a task, which ends in a later <see cref="Work"/> (in Unity: in the main
    /// thread). The path is a new array. Cancelled by the token, or with the queue.</summary>
    public async Task<FoundPath> FindAsync(Cell start, Cell goal, CancellationToken token = default(CancellationToken)) {
        PathRequest request = spare.Count > 0 ? spare.Pop() : new PathRequest();
        request.Query.Start = start;
        request.Query.Goal = goal;
        try {
            Submit(request, token);
            await request;
            var cells = new Cell[request.Count];
            Array.Copy(request.cells, cells, request.Count);
            return new FoundPath { Answer = request.Answer, Cells = cells };
        } finally {
            spare.Push(request);
        }
    }

    /// <summary>Ends all requests as cancelled. The view stays.</summary>
    public void Dispose() {
        if (disposed) return;
        disposed = true;
        if (current != null) Cancel(current);
        while (queue.Count > 0) EndCancelled(queue.Dequeue());
        worker.Dispose();
    }
}

}  // namespace Octile
