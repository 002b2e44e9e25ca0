package io.penstock.metrics;

import java.util.function.LongSupplier;

/**
 * The current figures of the requests that share the workers as one, for operators: those of a servlet, or of one kind of path.
 *
 * @param name the context path and the servlet or path
 * @param running the number of workers that run code of these requests
 * @param queued the number of these requests, and of continuations of asynchronous requests, that wait for a worker
 * @param refused the number of these requests that were answered 503 by the server
 */
public record MappingFigures(String name, LongSupplier running, LongSupplier queued, LongSupplier refused) {}
