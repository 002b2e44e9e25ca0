package io.penstock.exchange;

/** Serves exchanges. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Serves the exchange. When this method returns, the response has ended, or the handler will continue it by {@link Exchange#resume}. An
     * exception aborts the exchange. Thread: a worker.
     */
    void handle(Exchange exchange) throws Exception;
}
