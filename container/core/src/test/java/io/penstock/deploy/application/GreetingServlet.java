package io.penstock.deploy.application;

import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

@WebServlet(
        name = "greeting",
        urlPatterns = {"/greet", "/greet/*"},
        loadOnStartup = 3,
        asyncSupported = true,
        initParams = @WebInitParam(name = "word", value = "hello"))
@MultipartConfig(location = "parts", maxFileSize = 1000, fileSizeThreshold = 10)
public class GreetingServlet extends HttpServlet {}
