package io.penstock.websocket;

import io.penstock.part.WebSocketSessions;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.server.ServerApplicationConfig;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys the endpoints that were found in an application (WebSocket 2.2 section 6.2). Nothing of WebSocket starts in an application that
 * has none.
 *
 * <p>Thread: the thread that starts the application.
 */
@HandlesTypes({ServerEndpoint.class, ServerApplicationConfig.class, Endpoint.class})
final class EndpointInitializer implements ServletContainerInitializer {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointInitializer.class);

    /** The initialiser of Tyrus, which some applications contain. */
    private static final String TYRUS = "org/glassfish/tyrus/servlet/TyrusServletContainerInitializer.class";

    @Override
    public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) throws ServletException {
        if (types == null || types.isEmpty()) {
            return;
        }
        if (bringsEngine(context)) {
            LOG.info("{}: uses the Tyrus library of the application", name(context));
            return;
        }
        start(types, context);
    }

    /**
     * Whether the application contains its own WebSocket engine, which starts itself. A library on the class path of an embedded server is
     * not started.
     */
    private static boolean bringsEngine(ServletContext context) {
        URL own = context.getClassLoader().getResource(TYRUS);
        URL ofServer = EndpointInitializer.class.getResource("/" + TYRUS);
        return own != null && !own.toString().equals(Objects.toString(ofServer));
    }

    private static void start(Set<Class<?>> types, ServletContext context) throws ServletException {
        EndpointContainer container = container(context);
        Set<Class<?>> annotated = new LinkedHashSet<>();
        Set<Class<? extends Endpoint>> programmatic = new LinkedHashSet<>();
        Set<Class<?>> configs = new LinkedHashSet<>();
        for (Class<?> type : types) {
            boolean isUsable = Modifier.isPublic(type.getModifiers()) && !Modifier.isAbstract(type.getModifiers());
            if (ServerApplicationConfig.class.isAssignableFrom(type)) {
                if (isUsable) {
                    configs.add(type);
                }
            } else if (isUsable && type.isAnnotationPresent(ServerEndpoint.class)) {
                annotated.add(type);
            } else if (isUsable && Endpoint.class.isAssignableFrom(type)) {
                programmatic.add(type.asSubclass(Endpoint.class));
            }
        }
        try {
            deploy(container, annotated, programmatic, configs);
        } catch (DeploymentException e) {
            throw new ServletException("WebSocket endpoints of " + name(context) + ": " + e.getMessage(), e);
        }
        LOG.debug("{}: WebSocket endpoints {}", name(context), types);
    }

    private static void deploy(
            EndpointContainer container,
            Set<Class<?>> annotated,
            Set<Class<? extends Endpoint>> programmatic,
            Set<Class<?>> configs)
            throws DeploymentException {
        Set<Class<?>> classes = configs.isEmpty() ? annotated : new LinkedHashSet<>();
        Set<ServerEndpointConfig> configured = new LinkedHashSet<>();
        for (Class<?> type : configs) {
            ServerApplicationConfig config = (ServerApplicationConfig) EndpointDefinition.create(type);
            Set<ServerEndpointConfig> more = config.getEndpointConfigs(new LinkedHashSet<>(programmatic));
            if (more != null) {
                configured.addAll(more);
            }
            Set<Class<?>> chosen = config.getAnnotatedEndpointClasses(new LinkedHashSet<>(annotated));
            if (chosen != null) {
                classes.addAll(chosen);
            }
        }
        for (Class<?> type : classes) {
            container.addEndpoint(type);
        }
        for (ServerEndpointConfig config : configured) {
            container.addEndpoint(config);
        }
    }

    /** The container of the application. It is created at the first call. */
    static EndpointContainer container(ServletContext context) throws ServletException {
        if (context.getAttribute(ServerContainer.class.getName()) instanceof EndpointContainer known) {
            return known;
        }
        UserConnections users = new UserConnections();
        context.addListener(users);
        EndpointContainer container =
                new EndpointContainer((WebSocketSessions.Context) context, MessageBounds.of(context), users);
        context.setAttribute(ServerContainer.class.getName(), container);
        FilterRegistration.Dynamic filter =
                context.addFilter(UpgradeFilter.class.getName(), new UpgradeFilter(container));
        if (filter == null) {
            throw new ServletException(name(context) + " has a filter with the name of the WebSocket filter");
        }
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(null, false, "/*");
        return container;
    }

    private static String name(ServletContext context) {
        return context.getContextPath().isEmpty() ? "/" : context.getContextPath();
    }
}
