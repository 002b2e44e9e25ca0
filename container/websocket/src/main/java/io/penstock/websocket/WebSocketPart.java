package io.penstock.websocket;

import io.penstock.part.ContainerPart;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;

/** Adds the Jakarta WebSocket API to web applications. Applications with endpoints get an engine when they start. Thread: any. */
public final class WebSocketPart implements ContainerPart {

    @Override
    public List<ServletContainerInitializer> initializers() {
        return List.of(new EndpointInitializer());
    }
}
