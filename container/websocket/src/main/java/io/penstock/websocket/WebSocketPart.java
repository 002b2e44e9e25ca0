package io.penstock.websocket;

import io.penstock.part.ContainerPart;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;

/** Gives web applications the Jakarta WebSocket API: those that have endpoints get an engine as they start. Thread: any. */
public final class WebSocketPart implements ContainerPart {

    @Override
    public List<ServletContainerInitializer> initializers() {
        return List.of(new EndpointInitializer());
    }
}
