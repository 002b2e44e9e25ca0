package io.penstock.exchange;

/** Serves exchanges. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Serves the exchange; on return either its response has ended or the handler will continue it by
     * {@link Exchange#resume}. Thread: a worker. A throw aborts the exchange.
     */
    void handle(Exchange exchange) throws Exception;
}
