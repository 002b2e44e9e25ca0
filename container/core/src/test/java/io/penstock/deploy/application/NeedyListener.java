package io.penstock.deploy.application;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import javax.sql.DataSource;

/** A listener that needs a data source. No test provides the data source. */
@WebListener
public class NeedyListener implements ServletContextListener {
    @Resource
    DataSource orders;
}
