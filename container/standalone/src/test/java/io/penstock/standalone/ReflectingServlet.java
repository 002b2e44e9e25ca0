package io.penstock.standalone;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;

/** Looks into classes of the JDK by reflection, as old versions of cglib and other libraries do. */
@WebServlet("/reflecting")
public final class ReflectingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final List<String> LOOKED_INTO = List.of(
            "java.lang.Thread",
            "java.io.ObjectStreamClass$Caches",
            "java.util.ArrayList",
            "java.util.concurrent.ThreadPoolExecutor",
            "sun.rmi.transport.ObjectTable");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            ClassLoader.class
                    .getDeclaredMethod("defineClass", String.class, byte[].class, int.class, int.class)
                    .setAccessible(true);
            for (String name : LOOKED_INTO) {
                for (Field field : Class.forName(name).getDeclaredFields()) {
                    field.setAccessible(true);
                }
            }
            response.getWriter().print("all open");
        } catch (ReflectiveOperationException | RuntimeException e) {
            response.getWriter().print(e);
        }
    }
}
