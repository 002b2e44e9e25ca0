package io.penstock.exchange;

/** Serves exchanges. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Serves the exchange. When this method returns, the response has ended, or the handler will continue the response in jobs of {@link
     * Exchange#resume}. If this method throws, the response is aborted. Thread: a worker.
     */
    void handle(Exchange exchange) throws Exception;
}
