package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import java.io.IOException;

/**
 * Lets a worker send parts of files to one client, in place of the reactor. So idle workers read files, and encrypt them for TLS, in
 * parallel. Meanwhile, the reactor can serve its other clients. The worker stops sending when the client becomes too slow, or when another
 * job needs a worker and no worker is idle.
 *
 * <p>Thread: {@link #handOver} and {@link #isUnderWay}: the reactor. While a worker sends files, the reactor sends no bytes to this client.
 */
public final class FileSending implements Job {
    private final LinkWriter writer;
    private final Link link;
    private final RequestQueue queue;

    // Set by the reactor before it puts the job into the queue. Cleared by the thread that ends the job, before that
    // thread signals the reactor.
    private volatile boolean underWay;

    /** @param link the link to which {@code writer} writes */
    public FileSending(LinkWriter writer, Link link, RequestQueue queue) {
        this.writer = writer;
        this.link = link;
        this.queue = queue;
    }

    /**
     * Lets an idle worker send the files. Returns false if no worker is idle. When the worker stops sending, the reactor gets the signal
     * {@link LinkWriter#STALLED}. This method must be called only if {@link LinkWriter#reactorMayHandOver} returns true.
     */
    public boolean handOver() {
        underWay = true;
        if (!queue.offerToIdle(this)) {
            underWay = false;
            return false;
        }
        return true; // the end of the round wakes the worker
    }

    public boolean isUnderWay() {
        return underWay;
    }

    @Override
    public void run() {
        try {
            writer.workerSendFiles(() -> !queue.wantsWorkers());
        } catch (IOException e) {
            // The link is broken. The writer has already informed the pipe and the reactor, and the reactor closes the
            // connection.
        } finally {
            end();
        }
    }

    @Override
    public void abandon() {
        end();
    }

    private void end() {
        underWay = false;
        // The reactor must send the remaining bytes, or continue with the connection if all bytes are sent.
        link.signal(LinkWriter.STALLED);
    }

    @Override
    public String describe() {
        return "sends a file to " + link.remote();
    }
}
