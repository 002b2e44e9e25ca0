package io.penstock.migration;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A method or constructor that Servlet 6 has removed. Names are those after the conversion to {@code jakarta.servlet}. Thread: any.
 *
 * @param owners the types of the API that had it
 * @param successor the method that has the same descriptor and does the same; null if there is none
 * @param replacement the code that does the same as a call; null if there is none
 */
record RemovedMember(
        Set<String> owners,
        String name,
        String descriptor,
        @Nullable String successor,
        @Nullable Replacement replacement) {
    private static final String SERVLET = "jakarta/servlet/Servlet";
    static final String SINGLE_THREAD_MODEL = "jakarta/servlet/SingleThreadModel";
    private static final String CONSTRUCTOR = "<init>";

    private static final String HTTP_UTILS = "jakarta/servlet/http/HttpUtils";
    private static final String SESSION_CONTEXT = "jakarta/servlet/http/HttpSessionContext";

    /** The types that Servlet 6 has removed. */
    static final Set<String> TYPES = Set.of(SINGLE_THREAD_MODEL, HTTP_UTILS, SESSION_CONTEXT);

    private static final String CONTEXT = "jakarta/servlet/ServletContext";
    private static final String REQUEST = "jakarta/servlet/http/HttpServletRequest";
    private static final String REQUEST_WRAPPER = "jakarta/servlet/http/HttpServletRequestWrapper";
    private static final Set<String> CONTEXTS = Set.of(CONTEXT);
    private static final Set<String> HTTP_REQUESTS = Set.of(REQUEST, REQUEST_WRAPPER);
    private static final Set<String> REQUESTS =
            Set.of("jakarta/servlet/ServletRequest", "jakarta/servlet/ServletRequestWrapper", REQUEST, REQUEST_WRAPPER);
    private static final Set<String> RESPONSES =
            Set.of("jakarta/servlet/http/HttpServletResponse", "jakarta/servlet/http/HttpServletResponseWrapper");
    private static final Set<String> SESSIONS = Set.of("jakarta/servlet/http/HttpSession");
    private static final Set<String> UNAVAILABLE = Set.of("jakarta/servlet/UnavailableException");

    private static final String STRING_OF_STRING = "(Ljava/lang/String;)Ljava/lang/String;";
    private static final String ENUMERATION = "()Ljava/util/Enumeration;";

    /** All of them, by name and descriptor. */
    private static final Map<String, RemovedMember> ALL = List.of(
                    renamed(RESPONSES, "encodeUrl", STRING_OF_STRING, "encodeURL"),
                    renamed(RESPONSES, "encodeRedirectUrl", STRING_OF_STRING, "encodeRedirectURL"),
                    replaced(RESPONSES, "setStatus", "(ILjava/lang/String;)V", (code, call) -> {
                        code.visitInsn(Opcodes.POP); // the message
                        call.to(code, "setStatus", "(I)V");
                    }),
                    renamed(HTTP_REQUESTS, "isRequestedSessionIdFromUrl", "()Z", "isRequestedSessionIdFromURL"),
                    replaced(REQUESTS, "getRealPath", STRING_OF_STRING, (code, call) -> {
                        code.visitInsn(Opcodes.SWAP);
                        call.to(code, "getServletContext", "()L" + CONTEXT + ";");
                        code.visitInsn(Opcodes.SWAP);
                        new Call(Opcodes.INVOKEINTERFACE, CONTEXT, true).to(code, "getRealPath", STRING_OF_STRING);
                    }),
                    renamed(SESSIONS, "getValue", "(Ljava/lang/String;)Ljava/lang/Object;", "getAttribute"),
                    renamed(SESSIONS, "putValue", "(Ljava/lang/String;Ljava/lang/Object;)V", "setAttribute"),
                    renamed(SESSIONS, "removeValue", "(Ljava/lang/String;)V", "removeAttribute"),
                    replaced(SESSIONS, "getValueNames", "()[Ljava/lang/String;", (code, call) -> {
                        call.to(code, "getAttributeNames", ENUMERATION);
                        new Call(Opcodes.INVOKESTATIC, "java/util/Collections", false)
                                .to(code, "list", "(Ljava/util/Enumeration;)Ljava/util/ArrayList;");
                        code.visitInsn(Opcodes.ICONST_0);
                        code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/String");
                        new Call(Opcodes.INVOKEVIRTUAL, "java/util/ArrayList", false)
                                .to(code, "toArray", "([Ljava/lang/Object;)[Ljava/lang/Object;");
                        code.visitTypeInsn(Opcodes.CHECKCAST, "[Ljava/lang/String;");
                    }),
                    lost(SESSIONS, "getSessionContext", "()L" + SESSION_CONTEXT + ";"),
                    // Since Servlet 2.1 the next three return nothing.
                    replaced(CONTEXTS, "getServlet", "(Ljava/lang/String;)L" + SERVLET + ";", (code, call) -> {
                        code.visitInsn(Opcodes.POP2);
                        code.visitInsn(Opcodes.ACONST_NULL);
                    }),
                    replaced(CONTEXTS, "getServlets", ENUMERATION, (code, call) -> pushNoElements(code)),
                    replaced(CONTEXTS, "getServletNames", ENUMERATION, (code, call) -> pushNoElements(code)),
                    replaced(CONTEXTS, "log", "(Ljava/lang/Exception;Ljava/lang/String;)V", (code, call) -> {
                        code.visitInsn(Opcodes.SWAP);
                        call.to(code, "log", "(Ljava/lang/String;Ljava/lang/Throwable;)V");
                    }),
                    replaced(UNAVAILABLE, CONSTRUCTOR, "(L" + SERVLET + ";Ljava/lang/String;)V", (code, call) -> {
                        code.visitInsn(Opcodes.SWAP);
                        code.visitInsn(Opcodes.POP); // the servlet
                        call.to(code, CONSTRUCTOR, "(Ljava/lang/String;)V");
                    }),
                    replaced(UNAVAILABLE, CONSTRUCTOR, "(IL" + SERVLET + ";Ljava/lang/String;)V", (code, call) -> {
                        code.visitInsn(Opcodes.SWAP);
                        code.visitInsn(Opcodes.POP); // the servlet
                        code.visitInsn(Opcodes.SWAP);
                        call.to(code, CONSTRUCTOR, "(Ljava/lang/String;I)V");
                    }),
                    lost(UNAVAILABLE, "getServlet", "()L" + SERVLET + ";"),
                    replaced(
                            Set.of(HTTP_UTILS),
                            "getRequestURL",
                            "(L" + REQUEST + ";)Ljava/lang/StringBuffer;",
                            (code, call) -> new Call(Opcodes.INVOKEINTERFACE, REQUEST, true)
                                    .to(code, "getRequestURL", "()Ljava/lang/StringBuffer;")))
            .stream()
            .collect(Collectors.toUnmodifiableMap(member -> member.name + member.descriptor, Function.identity()));

    private static final Set<String> NAMES =
            ALL.values().stream().map(RemovedMember::name).collect(Collectors.toUnmodifiableSet());

    static @Nullable RemovedMember of(String name, String descriptor) {
        return NAMES.contains(name) ? ALL.get(name + descriptor) : null;
    }

    boolean isConstructor() {
        return name.equals(CONSTRUCTOR);
    }

    /** Writes code that takes the object and the arguments from the stack, as the call would do, and pushes the result. */
    @FunctionalInterface
    interface Replacement {
        void write(MethodVisitor code, Call call);
    }

    /** A call in a class file. */
    record Call(int opcode, String owner, boolean ofInterface) {

        /** Calls another method of the object in the same way. */
        void to(MethodVisitor code, String method, String descriptor) {
            code.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
        }
    }

    private static RemovedMember renamed(Set<String> owners, String name, String descriptor, String successor) {
        return new RemovedMember(
                owners, name, descriptor, successor, (code, call) -> call.to(code, successor, descriptor));
    }

    private static RemovedMember replaced(Set<String> owners, String name, String descriptor, Replacement replacement) {
        return new RemovedMember(owners, name, descriptor, null, replacement);
    }

    private static RemovedMember lost(Set<String> owners, String name, String descriptor) {
        return new RemovedMember(owners, name, descriptor, null, null);
    }

    private static void pushNoElements(MethodVisitor code) {
        code.visitInsn(Opcodes.POP);
        new Call(Opcodes.INVOKESTATIC, "java/util/Collections", false).to(code, "emptyEnumeration", ENUMERATION);
    }
}
