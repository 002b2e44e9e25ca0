package com.example.shop;

import jakarta.annotation.Resource;
import jakarta.servlet.http.HttpServlet;
import javax.sql.DataSource;

/** Needs a data source. */
public class OrdersServlet extends HttpServlet {
    @Resource(name = "jdbc/orders")
    private transient DataSource orders;

    /** Whether the server has set the data source. */
    public boolean hasOrders() {
        return orders != null;
    }
}
