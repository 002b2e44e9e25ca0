package io.penstock.limits;

/** Limits on WebSocket sessions; 0 for no limit. {@link Key} explains the values. */
public record WebSocketLimits(int endpoint, int address, int user) {

    static WebSocketLimits of(Configuration given) {
        return new WebSocketLimits(
                given.number(Key.MAX_WEBSOCKETS_ENDPOINT),
                given.number(Key.MAX_WEBSOCKETS_ADDRESS),
                given.number(Key.MAX_WEBSOCKETS_USER));
    }
}
