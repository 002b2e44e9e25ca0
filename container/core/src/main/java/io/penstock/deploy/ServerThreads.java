package io.penstock.deploy;

import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import io.penstock.work.Workers;

/**
 * The threads of a server that deployment and undeployment use.
 *
 * @param queue the queue of the workers. All application code runs in jobs of this queue
 * @param workers the worker threads. An application can leave ThreadLocals on them, so they are replaced after an undeployment
 * @param scheduler the thread that runs periodic tasks
 */
public record ServerThreads(RequestQueue queue, Workers workers, Scheduler scheduler) {}
