package io.penstock.http1;

import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;

/**
 * The objects that all connections of one reactor share, so that a connection holds one reference to all of them.
 *
 * @param heads writes the heads of responses; the same for all reactors of a server
 * @param stages parse the heads of requests
 * @param unfinished the bodies that are arriving
 */
record ReactorParts(ServerResources server, HeadWriter heads, HeadStages stages, UnfinishedBodies unfinished) {}
