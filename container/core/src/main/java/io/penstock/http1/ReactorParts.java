package io.penstock.http1;

import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;

/**
 * The objects that all connections of one reactor share. Each connection needs only a reference to this record.
 *
 * @param heads writes the heads of responses; all reactors of a server use the same object
 * @param stages the stages that parse the heads of requests
 * @param unfinished the bodies that are arriving
 */
record ReactorParts(ServerResources server, HeadWriter heads, HeadStages stages, UnfinishedBodies unfinished) {}
