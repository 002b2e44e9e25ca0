package io.penstock.deploy;

import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import io.penstock.work.Workers;

/**
 * The threads of a server that deployment and undeployment use.
 *
 * @param queue the queue of the workers; all application code runs as its jobs
 * @param workers the workers; they are replaced after an undeployment, since an application can leave ThreadLocals on them
 * @param scheduler the timer
 */
public record ServerThreads(RequestQueue queue, Workers workers, Scheduler scheduler) {}
