package io.penstock.limits;

/** The whole configuration of one server, composed of one record a concern. */
public record ServerConfig(Listen listen, Threads threads, Pipes pipes, WireLimits wire, Timeouts timeouts) {

    public static ServerConfig defaults() {
        return new ServerConfig(
                Listen.defaults(), Threads.defaults(), Pipes.defaults(), WireLimits.defaults(), Timeouts.defaults());
    }
}
