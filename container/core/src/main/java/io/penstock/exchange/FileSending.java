package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import java.io.IOException;

/**
 * Lets a worker send parts of files in place of the reactor, to one client that keeps up. So idle workers read, copy and, over TLS, encrypt
 * files in parallel, and the reactor's other clients need not wait. The worker returns to the queue when the client falls behind, or when
 * another job finds no idle worker.
 *
 * <p>Thread: {@link #handOver} and {@link #isUnderWay}: the reactor. While a worker sends, the reactor sends nothing to this client.
 */
public final class FileSending implements Job {
    private final LinkWriter writer;
    private final Link link;
    private final RequestQueue queue;

    // Set by the reactor before it offers the job. Cleared by the thread that ends the job, before that thread signals
    // the reactor.
    private volatile boolean underWay;

    /** @param link the link of the writer */
    public FileSending(LinkWriter writer, Link link, RequestQueue queue) {
        this.writer = writer;
        this.link = link;
        this.queue = queue;
    }

    /**
     * Hands the sending over to an idle worker. Returns false if there is none. When the worker ends, the reactor gets the signal {@link
     * LinkWriter#STALLED}. Call this only if {@link LinkWriter#reactorMayHandOver} returns true.
     */
    public boolean handOver() {
        underWay = true;
        if (!queue.offerToIdle(this)) {
            underWay = false;
            return false;
        }
        link.reactor().atEndOfRound(queue.wakeUp());
        return true;
    }

    public boolean isUnderWay() {
        return underWay;
    }

    @Override
    public void run() {
        try {
            writer.workerSendFiles(() -> !queue.wantsWorkers());
        } catch (IOException e) {
            // The link is broken. The writer has signalled this to the pipe and to the reactor, which closes the
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
        link.signal(LinkWriter.STALLED); // the reactor must send the rest, or continue after the last byte
    }

    @Override
    public String describe() {
        return "sends a file to " + link.remote();
    }
}
