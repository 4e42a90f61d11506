export * from "echarts";
