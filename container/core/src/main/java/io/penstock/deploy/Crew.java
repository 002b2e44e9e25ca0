package io.penstock.deploy;

import io.penstock.work.Keeper;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;

/**
 * The threads of a server, as far as they serve its applications' comings and goings.
 *
 * @param queue of what workers do, and so of all application code
 * @param workers are renewed when an application has gone: what it has left at them goes with them
 * @param keeper says when something is due
 */
public record Crew(RequestQueue queue, Workers workers, Keeper keeper) {}
