package io.penstock.websocket;

import jakarta.websocket.CloseReason;
import jakarta.websocket.DecodeException;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import java.io.InputStream;
import java.io.Reader;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods of an annotated endpoint (WebSocket 2.2 chapter 4), checked when the endpoint is deployed. Methods of superclasses count,
 * too, unless the endpoint overrides them without an annotation. Immutable.
 */
final class EndpointMethods {
    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(OnOpen.class, OnMessage.class, OnClose.class, OnError.class);

    /** Where a method's argument comes from. */
    private enum Source {
        SESSION(Session.class),
        CONFIG(EndpointConfig.class),
        REASON(CloseReason.class),
        THROWABLE(Throwable.class),
        PATH(Object.class),
        MESSAGE(Object.class),
        LAST(boolean.class);

        private final Class<?> type;

        Source(Class<?> type) {
            this.type = type;
        }
    }

    /** @param name the name of the path parameter; empty for other sources */
    private record Argument(Source source, String name, Class<?> type) {}

    /** A method with its arguments. */
    private record Call(Method method, List<Argument> arguments) {

        /** @param given the argument for each source; the message and the flag only for messages */
        @Nullable
        Object on(Object endpoint, WebSocketSession session, @Nullable Object given, boolean last) throws Throwable {
            Object[] values = new Object[arguments.size()];
            for (int i = 0; i < values.length; i++) {
                Argument argument = arguments.get(i);
                values[i] = switch (argument.source) {
                    case SESSION -> session;
                    case PATH -> pathParameter(session, argument);
                    case LAST -> last;
                    case CONFIG, REASON, THROWABLE, MESSAGE -> given;
                };
            }
            try {
                return method.invoke(endpoint, values);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }

        private static @Nullable Object pathParameter(WebSocketSession session, Argument argument)
                throws DecodeException {
            return Conversion.parse(session.pathParameters().get(argument.name), argument.type);
        }
    }

    /**
     * A method for messages.
     *
     * @param max the annotation's {@code maxMessageSize}; not positive for none
     */
    private record MessageCall(
            Call call, Class<?> type, boolean partial, boolean text, boolean binary, boolean pong, long max) {}

    private final Class<?> type;
    private final Coders coders;
    private final @Nullable Call open;
    private final @Nullable Call close;
    private final @Nullable Call error;
    private final List<MessageCall> messages = new ArrayList<>();

    /** @throws DeploymentException if a method breaks a rule of the specification; the message names the method */
    EndpointMethods(Class<?> type, Coders coders) throws DeploymentException {
        this.type = type;
        this.coders = coders;
        refuseHiddenMethods();
        open = single(OnOpen.class, Source.SESSION, Source.CONFIG);
        close = single(OnClose.class, Source.SESSION, Source.REASON);
        error = single(OnError.class, Source.SESSION, Source.THROWABLE);
        if (error != null && error.arguments.stream().noneMatch(argument -> argument.source == Source.THROWABLE)) {
            throw refused(error.method, "a method for errors needs a parameter of the type Throwable");
        }
        for (Method method : annotated(OnMessage.class)) {
            MessageCall added = message(method);
            for (MessageCall other : messages) {
                if ((added.text && other.text) || (added.binary && other.binary) || (added.pong && other.pong)) {
                    throw refused(
                            method,
                            "another method already gets messages of this kind: " + other.call.method.getName());
                }
            }
            messages.add(added);
        }
    }

    /** An annotated method that is not public would never be called. */
    private void refuseHiddenMethods() throws DeploymentException {
        for (Method method : type.getDeclaredMethods()) {
            if (!Modifier.isPublic(method.getModifiers())
                    && !method.isBridge()
                    && ANNOTATIONS.stream().anyMatch(method::isAnnotationPresent)) {
                throw refused(method, "a method with an annotation must be public");
            }
        }
    }

    private List<Method> annotated(Class<? extends Annotation> annotation) {
        List<Method> found = new ArrayList<>();
        for (Method method : type.getMethods()) {
            if (!method.isBridge() && method.isAnnotationPresent(annotation)) {
                found.add(method);
            }
        }
        return found;
    }

    private DeploymentException refused(Method method, String why) {
        return new DeploymentException(
                "The endpoint " + type.getName() + " cannot be deployed because of its method " + method + ": " + why);
    }

    private @Nullable Call single(Class<? extends Annotation> annotation, Source... allowed)
            throws DeploymentException {
        List<Method> methods = annotated(annotation);
        if (methods.isEmpty()) {
            return null;
        }
        Method method = methods.get(0);
        if (methods.size() > 1) {
            throw refused(
                    method,
                    "another method has @" + annotation.getSimpleName() + ", too: "
                            + methods.get(1).getName());
        }
        List<Argument> arguments = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            Argument argument = pathArgument(method, parameter);
            for (Source source : allowed) {
                if (argument == null && parameter.getType() == source.type) {
                    argument = new Argument(source, "", source.type);
                }
            }
            if (argument == null) {
                throw refused(
                        method,
                        "the type of a parameter is not allowed: "
                                + parameter.getType().getName());
            }
            arguments.add(argument);
        }
        return call(method, arguments);
    }

    private Call call(Method method, List<Argument> arguments) throws DeploymentException {
        Set<Source> known = new HashSet<>();
        for (Argument argument : arguments) {
            if (argument.source != Source.PATH && !known.add(argument.source)) {
                throw refused(method, "two parameters have the same meaning");
            }
        }
        method.setAccessible(true); // the class that declares a public method may be a superclass that is not public
        return new Call(method, List.copyOf(arguments));
    }

    private @Nullable Argument pathArgument(Method method, Parameter parameter) throws DeploymentException {
        PathParam name = parameter.getAnnotation(PathParam.class);
        if (name == null) {
            return null;
        }
        if (parameter.getType() != String.class && !Conversion.isPrimitive(parameter.getType())) {
            throw refused(method, "a parameter with @PathParam must be a String or a primitive type");
        }
        String variable = name.value();
        // The kit of WebSocket also writes the name as in the path: @PathParam("{room}").
        if (variable.startsWith("{") && variable.endsWith("}")) {
            variable = variable.substring(1, variable.length() - 1);
        }
        return new Argument(Source.PATH, variable, parameter.getType());
    }

    // ---- messages

    private MessageCall message(Method method) throws DeploymentException {
        List<Argument> arguments = new ArrayList<>();
        List<Parameter> payloads = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            Argument argument = pathArgument(method, parameter);
            if (argument == null && parameter.getType() == Session.class) {
                argument = new Argument(Source.SESSION, "", Session.class);
            }
            if (argument == null) {
                payloads.add(parameter);
                argument = new Argument(Source.MESSAGE, "", parameter.getType());
            }
            arguments.add(argument);
        }
        boolean partial = payloads.size() == 2;
        if (partial) {
            // The flag is the boolean; if both are booleans, neither is a message in parts.
            int flag = Conversion.boxed(payloads.get(1).getType()) == Boolean.class ? 1 : 0;
            Class<?> flagType = payloads.get(flag).getType();
            Class<?> message = payloads.get(1 - flag).getType();
            if (Conversion.boxed(flagType) != Boolean.class || !isPartial(message)) {
                throw refused(method, "a message in parts needs a boolean, and a String, a ByteBuffer or a byte[]");
            }
            arguments.replaceAll(argument -> argument.source == Source.MESSAGE && argument.type == flagType
                    ? new Argument(Source.LAST, "", flagType)
                    : argument);
        } else if (payloads.size() != 1) {
            throw refused(method, "it needs one parameter for the message, and has " + payloads.size());
        }
        Call call = call(method, arguments);
        Class<?> message = arguments.stream()
                .filter(argument -> argument.source == Source.MESSAGE)
                .findFirst()
                .orElseThrow()
                .type;
        OnMessage annotation = method.getAnnotation(OnMessage.class);
        if (annotation.maxMessageSize() > Integer.MAX_VALUE) {
            throw refused(method, "maxMessageSize is larger than any message can be");
        }
        Class<?> returned = method.getReturnType();
        if (returned != void.class && returned != Void.class && returned != Object.class && !coders.encodes(returned)) {
            throw refused(method, "there is no encoder for " + returned.getName() + ", which it returns");
        }
        boolean pong = message == PongMessage.class;
        boolean text = partial ? message == String.class : !pong && coders.decodesText(message);
        boolean binary = partial ? message != String.class : !pong && coders.decodesBinary(message);
        if (!pong && !text && !binary) {
            throw refused(method, "there is no decoder for " + message.getName());
        }
        return new MessageCall(call, message, partial, text, binary, pong, annotation.maxMessageSize());
    }

    private static boolean isPartial(Class<?> type) {
        return type == String.class || type == ByteBuffer.class || type == byte[].class;
    }

    /** Creates the endpoint of a session around an object of the annotated class. */
    EndpointCallbacks callbacks(Object endpoint) {
        return new Annotated(endpoint);
    }

    /** The calls of one session. */
    private final class Annotated implements EndpointCallbacks {
        private final Object endpoint;

        Annotated(Object endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public void open(WebSocketSession session, EndpointConfig config) throws Throwable {
            for (MessageCall message : messages) {
                session.add(new MethodHandler(endpoint, message, session), message.type, message.partial);
                if (message.max > 0 && !isUnbounded(message)) {
                    if (message.text) {
                        session.setMaxTextMessageBufferSize((int) message.max);
                    }
                    if (message.binary) {
                        session.setMaxBinaryMessageBufferSize((int) message.max);
                    }
                }
            }
            if (open != null) {
                open.on(endpoint, session, config, false);
            }
        }

        /** The limit of the annotation does not hold for messages in parts and for streams (WebSocket 2.2, {@link OnMessage}). */
        private boolean isUnbounded(MessageCall message) {
            return message.partial || message.type == Reader.class || message.type == InputStream.class;
        }

        @Override
        public void close(WebSocketSession session, CloseReason reason) throws Throwable {
            if (close != null) {
                close.on(endpoint, session, reason, false);
            }
        }

        @Override
        public boolean error(WebSocketSession session, Throwable failure) throws Throwable {
            if (error == null) {
                return false;
            }
            error.on(endpoint, session, failure, false);
            return true;
        }

        @Override
        public String toString() {
            return type.getName();
        }
    }

    /** Calls a method for each message, and sends its result. */
    static final class MethodHandler implements MessageHandler.Whole<Object>, MessageHandler.Partial<Object> {
        private final Object endpoint;
        private final MessageCall message;
        private final WebSocketSession session;

        private MethodHandler(Object endpoint, MessageCall message, WebSocketSession session) {
            this.endpoint = endpoint;
            this.message = message;
            this.session = session;
        }

        void call(Object received, boolean last) throws Throwable {
            Object result = message.call.on(endpoint, session, received, last);
            if (result != null) {
                session.remotes().basic().sendObject(result);
            }
        }

        @Override
        public void onMessage(Object received) {
            throw new UnsupportedOperationException("Only the container calls this handler");
        }

        @Override
        public void onMessage(Object received, boolean last) {
            throw new UnsupportedOperationException("Only the container calls this handler");
        }
    }
}
