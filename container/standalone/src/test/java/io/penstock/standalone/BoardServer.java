package io.penstock.standalone;

import com.example.shop.OrderServlet;
import io.penstock.Penstock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Builds servers with two workers, a flow board (the page of the admin port), and a sample shop. */
final class BoardServer {
    private static final int LARGE = 4 << 20;

    private BoardServer() {}

    private static final class Quick extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("quick");
        }
    }

    private static final class Upload extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try (InputStream body = request.getInputStream()) {
                response.getWriter().print(body.transferTo(OutputStream.nullOutputStream()));
            }
        }
    }

    private static final class Large extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(LARGE);
            response.getOutputStream().write(new byte[LARGE]);
        }
    }

    static Penstock.Builder withShop(OrderServlet orders) {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("admin-port", "0")
                .set("shutdown-timeout", "1s")
                .context("/", context -> context.servlet("orders", orders, "/orders/*")
                        .servlet("quick", new Quick(), "/quick/*")
                        .servlet("upload", new Upload(), "/upload")
                        .servlet("large", new Large(), "/large"));
    }

    static Penstock.Builder withShop() {
        return withShop(new OrderServlet());
    }
}
